import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component that its screen can do without, loaded after the first paint. Undefined until then, and if it cannot be loaded.
 * `load` has to be the same function at each render.
 */
export function useLate<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> | undefined {
  const [component, setComponent] = useState<{ Late: ComponentType<Props> }>()
  useEffect(() => {
    let isMounted = true
    load().then(
      (module) => isMounted && setComponent({ Late: module.default }),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [load])
  return component?.Late
}
