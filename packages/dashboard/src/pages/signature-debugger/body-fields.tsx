import { useId } from 'react'
import { TextArea } from '../../components/field.tsx'
import { Segments } from '../../components/segments.tsx'
import { countOf } from '../../format/numbers.ts'
import { bodyBytes, type Fields } from './fields.ts'

export interface BodyFieldsProps {
  readonly fields: Fields
  readonly onChange: (changed: Partial<Fields>) => void
}

/** The body as text, as base64, or as a file that is only read in the browser. */
export function BodyFields({ fields, onChange }: BodyFieldsProps) {
  const { bodyKind, text, base64 } = fields
  const bytes = bodyBytes(fields)
  const size = bytes === null ? undefined : countOf(bytes.length, 'byte', 'bytes')
  return (
    <div className="relative">
      <div className="absolute top-0 right-0">
        <Segments
          label="Format of the body"
          value={bodyKind}
          options={[
            { value: 'text', label: 'Text' },
            { value: 'base64', label: 'Base64' },
            { value: 'file', label: 'File' },
          ]}
          onChange={chosen => onChange({ bodyKind: chosen })}
        />
      </div>
      {/* the label shares the line of the formats */}
      <div className="pt-3 pointer-coarse:pt-6">
        {bodyKind === 'text' && (
          <TextArea
            label="Body"
            hint={size ?? 'Exactly as your server received it, not as printed after parsing.'}
            rows={8}
            value={text}
            mono
            autoComplete="off"
            spellCheck={false}
            onChange={event => onChange({ text: event.target.value })}
          />
        )}
        {bodyKind === 'base64' && (
          <TextArea
            label="Body in base64"
            hint={size}
            error={base64.trim() !== '' && bytes === null ? 'This is not valid base64.' : null}
            rows={8}
            value={base64}
            mono
            autoComplete="off"
            spellCheck={false}
            onChange={event => onChange({ base64: event.target.value })}
          />
        )}
        {bodyKind === 'file' && <FileField {...{ fields, size, onChange }} />}
      </div>
    </div>
  )
}

function FileField({ fields, size, onChange }: BodyFieldsProps & { size: string | undefined }) {
  const id = useId()
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        File with the body
      </label>
      <input
        id={id}
        type="file"
        aria-describedby={`${id}-hint`}
        className="w-full rounded border border-control bg-surface px-3 py-1.5 file:mr-3 file:rounded-small file:border file:border-control file:bg-sunken file:px-2 file:text-ink pointer-coarse:min-h-11"
        onChange={event => void readFile(event.target.files?.[0]).then(file => onChange({ file }))}
      />
      <div id={`${id}-hint`} className="text-label text-ink-3">
        {fields.file === null
          ? 'Your browser reads the file and does not send it.'
          : `${fields.file.name}, ${size}`}
      </div>
    </div>
  )
}

async function readFile(file: File | undefined): Promise<Fields['file']> {
  return file === undefined ? null : { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}
