import { bytesFromBase64 } from './mistakes/base64.ts'
import { utf8Bytes } from './mistakes/utf8.ts'

/** The values of the page's fields, kept only in this component's memory. */
export interface Fields {
  readonly header: string
  /** One per field; several while a key is being replaced. */
  readonly secrets: readonly string[]
  readonly bodyKind: 'text' | 'base64' | 'file'
  readonly text: string
  readonly base64: string
  readonly file: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } | null
  /** The time for the age check; null: the browser's clock. */
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

/** Whether a field has content that must not leave the page. */
export function holdContent(fields: Fields): boolean {
  return (
    [fields.header, fields.text, fields.base64, ...fields.secrets].some(text => text !== '') ||
    fields.file !== null
  )
}

/** The bytes of the body; null if there are none or they cannot be decoded. */
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
