/** The progress of a long task. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <progress
      aria-label={label}
      max={Math.max(1, total)}
      value={done}
      className="progress h-2 w-full overflow-hidden rounded-small border border-control bg-sunken"
    />
  )
}
