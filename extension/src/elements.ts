type Child = Node | string | null

/** An element with attributes and children. A property that begins with `on` is a listener. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<Record<string, string | boolean | (() => void)>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value)
    else if (value !== false && value !== undefined) made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children.filter((child) => child !== null))
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** The ring: full and green in deeb mode, else pale; with gaps if the state is not known. */
export function ring(isOn: boolean | null): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 100 100')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', 'ring')
  svg.dataset.state = isOn === null ? 'unknown' : isOn ? 'on' : 'off'
  const circle = document.createElementNS(SVG, 'circle')
  for (const [name, value] of Object.entries({ cx: '50', cy: '50', r: '44' })) circle.setAttribute(name, value)
  svg.append(circle)
  return svg
}

/** Shows the children in the page, in the look of the state. */
export function showPage(isOn: boolean, ...children: Child[]): void {
  document.documentElement.dataset.focus = isOn ? 'on' : 'off'
  const focused = document.activeElement?.id
  document.querySelector('#page')?.replaceChildren(...children.filter((child) => child !== null))
  if (focused) document.getElementById(focused)?.focus()
}
