/** Stores a text in this browser. Returns false, and throws nothing, if storage is full or blocked. */
export function store(kind: 'localStorage' | 'sessionStorage', key: string, text: string): boolean {
  try {
    window[kind].setItem(key, text)
    return true
  } catch {
    return false
  }
}
