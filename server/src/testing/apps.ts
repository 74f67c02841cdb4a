const FINGERPRINT = Array.from({ length: 32 }, () => 'ab').join(':')

/** The environment of a server for which there are native apps. */
export const APPS = {
  ANDROID_APP: `com.example.deeb ${FINGERPRINT}, ${FINGERPRINT}`,
  IOS_APP_ID: 'ABCDE12345.com.example.deeb',
}
