import { bytesFromBase64 } from './mistakes/base64.ts'
import { utf8Bytes } from './mistakes/utf8.ts'

/** What stands in the fields of the page, in this component's memory and nowhere else. */
export interface Fields {
  readonly header: string
  /** One for each field; several while a key is being replaced. */
  readonly secrets: readonly string[]
  readonly bodyKind: 'text' | 'base64' | 'file'
  readonly text: string
  readonly base64: string
  readonly file: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } | null
  /** The moment at which it is judged; null: the clock of the browser. */
  readonly nowMs: number | null
}

export const emptyFields: Fields = {
  header: '',
  secrets: [''],
  bodyKind: 'text',
  text: '',
  base64: '',
  file: null,
  nowMs: null,
}

/** Whether anything was entered that must not leave the page. */
export function holdContent(fields: Fields): boolean {
  return (
    [fields.header, fields.text, fields.base64, ...fields.secrets].some(text => text !== '') ||
    fields.file !== null
  )
}

/** The bytes of the body; null while there are none, or while they cannot be read. */
export function bodyBytes({
  bodyKind,
  text,
  base64,
  file,
}: Pick<Fields, 'bodyKind' | 'text' | 'base64' | 'file'>): Uint8Array<ArrayBuffer> | null {
  switch (bodyKind) {
    case 'text':
      return text === '' ? null : utf8Bytes(text)
    case 'base64':
      return bytesFromBase64(base64)
    case 'file':
      return file?.bytes ?? null
  }
}
