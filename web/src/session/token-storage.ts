/** The storage interface of the auth client. */
export interface TokenStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): void | Promise<void>
  removeItem(key: string): void | Promise<void>
}

/** The storage of a native app, loaded on first use: browsers do not need it. */
export function secureStorage(): TokenStorage {
  const load = async (): Promise<TokenStorage> => (await import('./secure-tokens.ts')).secureTokens
  return {
    getItem: async (key) => (await load()).getItem(key),
    setItem: async (key, value) => (await load()).setItem(key, value),
    removeItem: async (key) => (await load()).removeItem(key),
  }
}

interface Watch {
  /** The text that is stored already. */
  text: string | null
  /** Called when the user id changes. */
  onChange(): void
}

/**
 * Wraps the storage to track the user id of the tokens under `key`, also expired ones. The auth client reports a user only
 * with valid tokens, and a refresh needs a network.
 */
export function watchTokens(storage: TokenStorage, key: string, { text, onChange }: Watch) {
  let userId = userIdOf(text)

  function note(asked: string, text: string | null): void {
    const now = asked === key ? userIdOf(text) : userId
    if (now === userId) return
    userId = now
    onChange()
  }

  const watched: TokenStorage = {
    async getItem(asked) {
      const text = await storage.getItem(asked)
      note(asked, text)
      return text
    },
    async setItem(asked, text) {
      note(asked, text)
      await storage.setItem(asked, text)
    },
    async removeItem(asked) {
      await storage.removeItem(asked)
      note(asked, null)
    },
  }
  return { storage: watched, userId: () => userId }
}

function userIdOf(text: string | null): string | null {
  try {
    const { user } = JSON.parse(text ?? '{}') as { user?: { id?: unknown } }
    return typeof user?.id === 'string' ? user.id : null
  } catch {
    return null
  }
}
