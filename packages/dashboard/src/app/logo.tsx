import type { Session } from '@posthorn/contract'

/** The provider's logo in a portal; otherwise a post horn. */
export function Logo({ portal }: { portal: Session['portal'] }) {
  if (typeof portal?.logo_url === 'string') return <img src={portal.logo_url} alt="" className="h-6 w-auto" />
  return (
    <svg
      viewBox="0 0 24 24"
      width="22"
      height="22"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className="text-brass-edge"
    >
      <circle cx="10" cy="12" r="5.25" />
      <path d="M2.75 5v3.5M2.75 6.75H10" />
      <path d="M10 17.25h4c3 0 5.5-1.5 7.25-4v8.5c-1.75-2.5-4.25-4-7.25-4" />
    </svg>
  )
}
