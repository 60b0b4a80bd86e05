import type { Session } from '@posthorn/contract'

/** The provider's own mark in a portal; else a coiled post horn in one stroke. */
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
      <circle cx="9.5" cy="13" r="5.25" />
      <path d="M3 4.5h3.5M5 4.5c4 0 6 1.2 9.5 4.2" />
      <path d="M14.6 12.2C17 11 18.6 9.4 20.5 6.5v12c-1.9-2.6-3.5-4-5.9-5" />
    </svg>
  )
}
