/** Linear red, green and blue, from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Parses a colour of a style sheet, such as `#e3b341`. */
export function rgb(hex: string): Rgb {
  const channel = (from: number): number => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** The WCAG 2 contrast of two colours: 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** The distance between two colours in OKLab × 100. */
export function oklabDistance(one: Rgb, other: Rgb): number {
  const [a, b] = [oklab(one), oklab(other)]
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** The matrix for each kind of colour vision at full severity (Machado, Oliveira and Fernandes 2009). */
export const everySight: Readonly<Record<string, (colour: Rgb) => Rgb>> = {
  normal: colour => colour,
  protanopia: colour =>
    seenBy(colour, [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ]),
  deuteranopia: colour =>
    seenBy(colour, [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ]),
  tritanopia: colour =>
    seenBy(colour, [
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ]),
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function oklab(colour: Rgb): Rgb {
  const [l, m, s] = times(colour, [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ])
  return times(
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
  )
}

/** A screen cannot show a colour outside 0 to 1. */
function seenBy(colour: Rgb, matrix: readonly [Rgb, Rgb, Rgb]): Rgb {
  const clip = (value: number): number => Math.min(1, Math.max(0, value))
  const [red, green, blue] = times(colour, matrix)
  return [clip(red), clip(green), clip(blue)]
}

function times([x, y, z]: Rgb, matrix: readonly [Rgb, Rgb, Rgb]): Rgb {
  const row = ([a, b, c]: Rgb): number => a * x + b * y + c * z
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}
