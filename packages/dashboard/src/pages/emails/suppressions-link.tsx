import { useState } from 'react'
import { keepRecipient } from '../../app/recipient-memory.ts'
import { TextLink } from '../../components/text-link.tsx'

/** A link to an address's suppressions. The address is kept in memory, not in the URL. */
export function SuppressionsLink({ address }: { address: string }) {
  const [recipientTicket] = useState(() => keepRecipient(address))
  return (
    <TextLink to="/suppressions" state={{ recipientTicket }}>
      Is this address suppressed?
    </TextLink>
  )
}
