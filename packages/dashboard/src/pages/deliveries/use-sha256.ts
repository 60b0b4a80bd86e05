import { useEffect, useState } from 'react'

/** The SHA-256 of a text in UTF-8, in hex; null while it is computed, and in browsers without Web Crypto. */
export function useSha256(text: string | null): string | null {
  const [hash, setHash] = useState<{ of: string; hex: string } | null>(null)
  useEffect(() => {
    if (text === null || !isSecureContext) return
    let isWanted = true
    void crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)).then(bytes => {
      if (isWanted) setHash({ of: text, hex: toHex(bytes) })
    })
    return () => {
      isWanted = false
    }
  }, [text])
  return hash !== null && hash.of === text ? hash.hex : null
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}
