/** Whether the long forms of tests are asked for, with the time that they take. */
export const IS_TORTURE = Boolean(process.env.TORTURE)
