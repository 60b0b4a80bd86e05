import type { SuppressionImport } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { formatCount } from '../../format/numbers.ts'
import { importWords } from '../../words/suppression-words.ts'

const bytesMax = 32 * 1024 * 1024
const rejectionsShown = 100

/** Imports suppressions from a CSV file and shows which lines were rejected. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const send = useMutation({
    mutationFn: async (chosen: File) => await call('importSuppressions', { body: await chosen.text() }),
    onSuccess: async answer => {
      announce(importWords(answer))
      await queries.invalidateQueries({ queryKey: ['suppressions'] })
    },
  })
  if (send.data !== undefined) return <ImportResult result={send.data} onClose={onClose} />
  const isTooLarge = file !== null && file.size > bytesMax
  return (
    <FormDialog
      title="Import suppressions"
      submit="Import"
      busy={send.isPending}
      isReady={file !== null && !isTooLarge}
      error={send.error}
      fields={[]}
      onSubmit={() => file !== null && send.mutate(file)}
      onClose={onClose}
    >
      <p>
        A CSV file whose first line names the columns. <code>address</code> is required; <code>reason</code>,{' '}
        <code>scope</code> and <code>list</code> are optional. A file from Export has this form.
      </p>
      <label className="block space-y-1">
        <span className="block font-medium">File</span>
        <input
          type="file"
          accept=".csv,text/csv"
          className="block w-full rounded border border-control bg-surface p-2 file:mr-3 file:rounded file:border file:border-control file:bg-paper file:px-3 file:py-1 file:text-ink"
          onChange={event => {
            setFile(event.target.files?.[0] ?? null)
            send.reset()
          }}
        />
      </label>
      {isTooLarge && (
        <p role="alert" className="text-exhausted">
          The file is larger than 32 MiB. Split it and import the parts.
        </p>
      )}
      <p className="text-ink-2">
        Existing suppressions do not change. You can safely import the same file again.
      </p>
    </FormDialog>
  )
}

function ImportResult({ result, onClose }: { result: SuppressionImport; onClose: () => void }) {
  const { rejected, rejections } = result
  const shown = rejections.slice(0, rejectionsShown)
  return (
    <Dialog
      title="Import finished"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>{importWords(result)}</p>
      {shown.length > 0 && (
        <table className="w-full text-left">
          <caption className="mb-1 text-left font-medium">Rejected lines</caption>
          <thead>
            <tr className="border-b border-line text-label text-ink-3">
              <th scope="col" className="py-1 pr-4 font-normal">
                Line
              </th>
              <th scope="col" className="py-1 font-normal">
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ line, reason }) => (
              <tr key={line} className="border-b border-line align-top">
                <td className="py-1 pr-4 tabular-nums">{formatCount(line)}</td>
                <td className="py-1 wrap-anywhere">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rejected > shown.length && (
        <p className="text-ink-2">{formatCount(rejected - shown.length)} more lines were rejected.</p>
      )}
    </Dialog>
  )
}
