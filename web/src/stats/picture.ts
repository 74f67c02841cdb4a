/* Pictures of own figures as files. They are made in the browser, so they also work offline and the server learns nothing. */
import fontUrl from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'

/** The family of all texts in pictures. An SVG file does not contain it: other programs show their own font. */
export const PICTURE_FONT = "'Hanken Grotesk Variable', system-ui, sans-serif"

/** The text of an SVG file. Tokens become the colours that they have now: programs for drawings do not know them. */
export function svgText(svg: SVGSVGElement): string {
  const file = svg.cloneNode(true) as SVGSVGElement
  const { width, height } = svg.viewBox.baseVal
  file.setAttribute('width', String(width))
  file.setAttribute('height', String(height))
  // The logo has its colours from classes.
  const classed = svg.querySelectorAll('[class]')
  for (const [n, part] of file.querySelectorAll('[class]').entries()) {
    part.setAttribute('fill', getComputedStyle(classed[n] ?? svg).fill)
    part.removeAttribute('class')
  }
  file.removeAttribute('class')
  const colours = getComputedStyle(document.documentElement)
  return new XMLSerializer()
    .serializeToString(file)
    .replaceAll(/var\((--[\w-]+)\)/g, (_, token: string) => colours.getPropertyValue(token).trim())
}

/** A PNG of the size of its view box. Rejects if the browser cannot make it. */
export async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal
  // A picture inside of a page has no access to the fonts of the page.
  const text = svgText(svg).replace('>', `>${await fontStyle()}`)
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas is empty.'))), 'image/png')
  })
}

/** The font of the page as a style in an SVG. Empty if it cannot be loaded. */
async function fontStyle(): Promise<string> {
  try {
    const font = await (await fetch(fontUrl)).blob()
    const url = await new Promise((resolve, reject) => {
      const reader = new FileReader()
      reader.onload = () => resolve(reader.result)
      reader.onerror = () => reject(reader.error)
      reader.readAsDataURL(font)
    })
    return `<style>@font-face{font-family:'Hanken Grotesk Variable';font-weight:100 900;src:url(${url})}</style>`
  } catch {
    return ''
  }
}
