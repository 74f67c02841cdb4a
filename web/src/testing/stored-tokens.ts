const STORAGE_KEY = 'deeb.auth.token'

/** Signs a user in on this device. The access token is the user id and expires after this century. */
export function storeTokens(userId: string, email?: string): void {
  const tokens = {
    access_token: userId,
    refresh_token: userId,
    expires_at: 4e9,
    expires_in: 3600,
    user: { id: userId, email },
  }
  localStorage.setItem(STORAGE_KEY, JSON.stringify(tokens))
}

export function removeTokens(): void {
  localStorage.removeItem(STORAGE_KEY)
}
