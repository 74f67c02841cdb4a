const PLACE = 'deeb.auth.token'

/** As a device has them on which this person is signed in; their access token, which is the id, does not run out in this century. */
export function keepTokens(userId: string): void {
  const tokens = {
    access_token: userId,
    refresh_token: userId,
    expires_at: 4e9,
    expires_in: 3600,
    user: { id: userId },
  }
  localStorage.setItem(PLACE, JSON.stringify(tokens))
}

export function dropTokens(): void {
  localStorage.removeItem(PLACE)
}
