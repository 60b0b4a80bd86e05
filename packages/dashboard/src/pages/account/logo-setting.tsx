import type { Branding } from '@posthorn/contract'
import { useEffect, useRef, useState } from 'react'
import { useMayChange } from '../../app/session.ts'
import { Button } from '../../components/button.tsx'
import { formatBytes } from '../../format/bytes.ts'
import { fieldError } from '../../words/form-errors.ts'
import { problemWords } from '../../words/problem-words.ts'
import { useSaveBranding } from './use-branding.ts'

type Logo = NonNullable<Branding['logo']>

const bytesMax = 64 * 1024

/** The logo of the unsubscribe page, and the buttons that replace and remove it. */
export function LogoSetting({ logo }: { logo: Logo | null }) {
  const mayChange = useMayChange()
  const save = useSaveBranding()
  const chooser = useRef<HTMLInputElement>(null)
  const [tooLarge, setTooLarge] = useState<string | null>(null)
  const use = async (file: File): Promise<void> => {
    save.reset()
    if (file.size > bytesMax) {
      return setTooLarge(`This file has ${formatBytes(file.size)}. A logo must not be larger than 64 kB.`)
    }
    setTooLarge(null)
    save.mutate({ logo: base64(new Uint8Array(await file.arrayBuffer())) })
  }
  const problem = tooLarge ?? (save.error === null ? null : logoProblem(save.error))
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        {logo === null ? <span className="text-ink-2">No logo</span> : <LogoPicture logo={logo} />}
        {mayChange && (
          <Button busy={save.isPending} onClick={() => chooser.current?.click()}>
            {logo === null ? 'Add a logo' : 'Replace logo'}
          </Button>
        )}
        {mayChange && logo !== null && (
          <Button kind="quiet" busy={save.isPending} onClick={() => save.mutate({ logo: null })}>
            Remove logo
          </Button>
        )}
      </div>
      {mayChange && (
        <p className="text-label text-ink-3">
          PNG, JPEG or WebP, up to 64 kB and 1,024 pixels. It is shown on white, 48 pixels high.
        </p>
      )}
      {problem !== null && (
        <p role="alert" className="text-exhausted">
          {problem}
        </p>
      )}
      <input
        ref={chooser}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label="Logo file"
        hidden
        onChange={event => {
          const [file] = event.target.files ?? []
          // so that choosing the same file again is a change
          event.target.value = ''
          if (file !== undefined) void use(file)
        }}
      />
    </div>
  )
}

/** A canvas, because the page’s Content-Security-Policy allows no pictures from memory. */
function LogoPicture({ logo }: { logo: Logo }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isGone = false
    const draw = async (): Promise<void> => {
      const picture = await createImageBitmap(new Blob([bytesOf(logo.data)], { type: logo.media_type }))
      if (!isGone && canvas.current !== null) {
        // a camera's picture can be turned
        canvas.current.width = picture.width
        canvas.current.height = picture.height
        canvas.current.getContext('2d')?.drawImage(picture, 0, 0)
      }
      picture.close()
    }
    // a picture that the browser cannot read stays blank
    void draw().catch(() => {})
    return () => {
      isGone = true
    }
  }, [logo])
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`Your logo, ${logo.width} by ${logo.height} pixels`}
      width={logo.width}
      height={logo.height}
      className="h-auto max-h-12 w-auto max-w-48 rounded border border-line"
      style={{ backgroundColor: 'white' }}
    />
  )
}

function logoProblem(error: Error): string {
  const flaw = fieldError(error, '/logo')
  return flaw === null ? problemWords(error) : `The logo ${flaw}.`
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}
