/** As the auth client wants it. */
export interface TokenStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): void | Promise<void>
  removeItem(key: string): void | Promise<void>
}

/** Of a native app. Fetched when it is first asked, so that a browser does not pay for it. */
export function secureStorage(): TokenStorage {
  const load = async () => (await import('./native/secure-tokens.ts')).secureTokens
  return {
    getItem: async (key) => (await load()).getItem(key),
    setItem: async (key, value) => (await load()).setItem(key, value),
    removeItem: async (key) => (await load()).removeItem(key),
  }
}

/**
 * The storage itself, and whose tokens lie in it under `key`, as far as it was looked into: the auth client tells that only
 * of tokens that still count, and to renew them it needs a network.
 */
export function watchTokens(storage: TokenStorage, key: string, onChange: () => void) {
  let owner: string | null = null

  function note(asked: string, text: string | null): void {
    const now = asked === key ? ownerOf(text) : owner
    if (now === owner) return
    owner = now
    onChange()
  }

  const watched: TokenStorage = {
    async getItem(asked) {
      const text = await storage.getItem(asked)
      note(asked, text)
      return text
    },
    async setItem(asked, text) {
      await storage.setItem(asked, text)
      note(asked, text)
    },
    async removeItem(asked) {
      await storage.removeItem(asked)
      note(asked, null)
    },
  }
  return { storage: watched, owner: () => owner }
}

function ownerOf(text: string | null): string | null {
  try {
    const { user } = JSON.parse(text ?? '{}') as { user?: { id?: unknown } }
    return typeof user?.id === 'string' ? user.id : null
  } catch {
    return null
  }
}
