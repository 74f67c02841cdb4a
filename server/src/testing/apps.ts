const FINGERPRINT = Array.from({ length: 32 }, () => 'ab').join(':')

/** Environment variables of a server that serves native apps. */
export const APPS = {
  ANDROID_APP: `com.example.deeb ${FINGERPRINT}, ${FINGERPRINT}`,
  IOS_APP_ID: 'ABCDE12345.com.example.deeb',
}
