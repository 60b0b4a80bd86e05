import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'

/** Saves all suppressions in force as a CSV file. */
export function ExportButton() {
  const { call } = useApi()
  const saving = useMutation({
    mutationFn: async () => await call('exportSuppressions'),
    onSuccess: file => {
      save(file, 'suppressions.csv')
      announce('The file is saved')
    },
  })
  return (
    <>
      <ActionProblem error={saving.error} />
      <Button
        icon={<Download size={16} aria-hidden />}
        title="All suppressions in force, as CSV"
        busy={saving.isPending}
        onClick={() => saving.mutate()}
      >
        Export
      </Button>
    </>
  )
}

/** A link to the API would do, but a page in a frame has no cookie. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
