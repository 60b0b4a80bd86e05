import { countOf } from '../../format/numbers.ts'
import type { SchemaField } from './schema-fields.ts'

/** The fields of a body: name, type, and meaning. */
export function FieldTable({ fields }: { fields: readonly SchemaField[] }) {
  return (
    <table className="w-full table-fixed text-left align-top">
      <caption className="sr-only">Fields of the body</caption>
      <thead className="text-label text-ink-3">
        <tr className="border-b border-line">
          <th scope="col" className="w-64 py-1.5 pr-3 font-normal max-wide:w-44">
            Field
          </th>
          <th scope="col" className="w-56 py-1.5 pr-3 font-normal max-wide:hidden">
            Type
          </th>
          <th scope="col" className="py-1.5 font-normal">
            Meaning
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map(field => (
          <tr key={field.path} className="border-b border-line">
            <th
              scope="row"
              style={{ paddingInlineStart: `${field.depth * 0.75}rem` }}
              className="py-2 pr-3 align-top font-normal break-words"
            >
              <code title={field.path} className="font-medium">
                {field.name}
              </code>
              <span className="block text-label text-ink-2 wide:hidden">{field.kind}</span>
            </th>
            <td className="py-2 pr-3 align-top text-ink-2 max-wide:hidden">{field.kind}</td>
            <td className="space-y-1 py-2 align-top">
              {!field.isAlways && <span className="text-ink-3">If known. </span>}
              {field.description !== null && <CodeInText text={field.description} />}
              <Values values={field.values} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A longer list would make the table too wide. */
const shownMax = 7

function Values({ values }: { values: readonly string[] }) {
  if (values.length === 0) return null
  const list = (
    <span className="flex flex-wrap gap-1.5">
      {values.map(value => (
        <code key={value} className="rounded-small bg-sunken px-1.5 break-all">
          {value}
        </code>
      ))}
    </span>
  )
  if (values.length <= shownMax) return list
  return (
    <details>
      <summary className="w-fit text-link pointer-coarse:py-3">
        {countOf(values.length, 'value', 'values')}
      </summary>
      <div className="pt-1.5">{list}</div>
    </details>
  )
}

/** Shows text between backticks as code. */
function CodeInText({ text }: { text: string }) {
  return text.split('`').map((part, place) =>
    // parts have no identity but their place
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  )
}
