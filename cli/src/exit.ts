/** The exit codes of all commands. README.md describes them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Only `deeb status --quiet` exits with it. */
  free: 3,
  signedOut: 4,
  unreachable: 5,
  refused: 6,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error whose message is a sentence for the user, with the exit code of the command. */
export class Problem extends Error {
  readonly code: ExitCode
  /** The time until the server allows the next attempt; null if it has not said so. */
  readonly retryAfterSeconds: number | null

  constructor(code: ExitCode, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}
