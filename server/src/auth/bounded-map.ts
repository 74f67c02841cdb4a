export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/** A map that forgets what was not asked for the longest once it holds more than `limit` entries. */
export function createBoundedMap<Key, Value>(limit: number): BoundedMap<Key, Value> {
  // A Map keeps the order of insertion: taken out and put in again means last to go.
  const entries = new Map<Key, Value>()

  function put(key: Key, value: Value): void {
    entries.delete(key)
    entries.set(key, value)
  }

  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) put(key, value)
      return value
    },
    set(key, value) {
      put(key, value)
      const oldest = entries.keys().next()
      if (entries.size > limit && !oldest.done) entries.delete(oldest.value)
    },
    delete: (key) => void entries.delete(key),
  }
}
