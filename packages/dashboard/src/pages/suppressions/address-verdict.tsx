import { useLive } from '../../api/use-live.ts'
import { SentenceText } from '../../components/sentence-text.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { addressWords } from '../../words/suppression-words.ts'

/** Whether we send mail to the searched address, independent of other filters. */
export function AddressVerdict({ address }: { address: string }) {
  const { data } = useLive({
    key: ['suppressions', 'address', address],
    load: async (call, signal) =>
      await call('listSuppressions', { query: { address, state: 'active', limit: 250 }, signal }),
    everyMs: 15_000,
  })
  if (data === undefined) return null
  const { tone, headline, facts } = addressWords(data.data)
  return (
    <div className="mb-4">
      <Verdict tone={tone} headline={headline}>
        <p>
          <bdi className="wrap-anywhere">{address}</bdi>
        </p>
        {facts.map((fact, place) => (
          // sentences have no identity but their place
          <p key={place}>
            <SentenceText sentence={fact} />
          </p>
        ))}
      </Verdict>
    </div>
  )
}
