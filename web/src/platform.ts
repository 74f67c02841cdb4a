declare global {
  /** Put in by the build. */
  const __APP_VERSION__: string
}

/** What every request says of the program that sent it. */
export const CLIENT_INFO = `deeb-web/${__APP_VERSION__}`
