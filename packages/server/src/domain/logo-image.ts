/** A logo that pages can show. */
export interface LogoImage {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
}

/** Kept small, because every page contains the logo, and because decoding many pixels takes memory. */
const logoBytesMax = 64 * 1024
const pixelsMax = 1024

/** Reads the type and size of a logo from its first bytes, or says what is wrong with it. */
export function readLogoImage(bytes: Uint8Array): LogoImage | { readonly flaw: string } {
  if (bytes.length > logoBytesMax) return { flaw: 'must not be larger than 65,536 bytes' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = readPng(view) ?? readJpeg(view) ?? readWebp(view)
  if (found === null) return { flaw: 'must be a PNG, JPEG or WebP image' }
  const { isAnimated, ...image } = found
  if (isAnimated) return { flaw: 'must not be animated' }
  const { width, height } = image
  if (Math.min(width, height) < 1 || Math.max(width, height) > pixelsMax) {
    return { flaw: 'must not be wider or higher than 1,024 pixels' }
  }
  return image
}

type Found = (LogoImage & { readonly isAnimated: boolean }) | null

function readPng(view: DataView): Found {
  if (!hasText(view, 0, '\x89PNG\r\n\x1a\n') || !hasText(view, 12, 'IHDR') || view.byteLength < 33)
    return null
  return {
    mediaType: 'image/png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    isAnimated: hasChunk(view, 'acTL'),
  }
}

function hasChunk(view: DataView, type: string): boolean {
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    if (hasText(view, at + 4, type)) return true
  }
  return false
}

/** Looks for the frame header: it is behind segments of any number and length. */
function readJpeg(view: DataView): Found {
  if (!hasText(view, 0, '\xff\xd8\xff')) return null
  for (let at = 2; at + 9 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at) !== 0xff) return null
    if (isFrameHeader(view.getUint8(at + 1))) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)]
      return { mediaType: 'image/jpeg', width, height, isAnimated: false }
    }
  }
  return null
}

/** C4, C8 and CC are in the same range and mean other things. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function readWebp(view: DataView): Found {
  if (!hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP') || view.byteLength < 30) return null
  const size = webpSize(view)
  return size === null ? null : { mediaType: 'image/webp', ...size }
}

/** The three kinds of the format: lossy, lossless and extended. */
function webpSize(view: DataView): { width: number; height: number; isAnimated: boolean } | null {
  if (hasText(view, 12, 'VP8 ') && hasText(view, 23, '\x9d\x01\x2a')) {
    const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
    return { width, height, isAnimated: false }
  }
  if (hasText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1, isAnimated: false }
  }
  if (!hasText(view, 12, 'VP8X')) return null
  return {
    width: (view.getUint32(24, true) & 0xffffff) + 1,
    height: (view.getUint32(26, true) >>> 8) + 1,
    isAnimated: (view.getUint8(20) & 0x02) !== 0,
  }
}

function hasText(view: DataView, at: number, text: string): boolean {
  if (at + text.length > view.byteLength) return false
  for (let n = 0; n < text.length; n++) if (view.getUint8(at + n) !== text.charCodeAt(n)) return false
  return true
}
