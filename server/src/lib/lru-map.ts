export interface LruMap<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
  clear(): void
}

/** An LRU cache: a map that evicts the least recently used entry once it holds more than `limit`. */
export function createLruMap<Key, Value>(limit: number): LruMap<Key, Value> {
  // A Map keeps insertion order, so deleting and setting a key again makes it the most recently used.
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
    clear: () => entries.clear(),
  }
}
