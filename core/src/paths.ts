/** Every path a person can type. The server answers 404 to the rest; the web draws these. */
export const APP_PATHS = {
  signIn: '/app',
  signUp: '/app/signup',
  confirm: '/app/confirm',
  forgotPassword: '/app/forgot-password',
  resetPassword: '/app/reset-password',
  home: '/app/home',
  team: '/app/team',
  profile: '/app/profile',
  goalSettings: '/app/goal-settings',
  sessions: '/app/sessions',
  settings: '/app/settings',
} as const

export type AppPath = (typeof APP_PATHS)[keyof typeof APP_PATHS]
