import { useState } from 'react'
import { keepRecipient } from '../../app/recipient-memory.ts'
import { TextLink } from '../../components/text-link.tsx'

/** The way to what is held back from an address, which is kept in memory and stands in no link. */
export function SuppressionsLink({ address }: { address: string }) {
  const [recipientTicket] = useState(() => keepRecipient(address))
  return (
    <TextLink to="/suppressions" state={{ recipientTicket }}>
      Is mail to it held back?
    </TextLink>
  )
}
