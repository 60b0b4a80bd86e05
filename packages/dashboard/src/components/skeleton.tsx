/** A placeholder of the same height as the content. */
export function Skeleton({ lines = 3, linePx = 36 }: { lines?: number; linePx?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} style={{ height: linePx }} className="flex items-center border-b border-line">
          <div className="h-3 w-full rounded-small bg-sunken" />
        </div>
      ))}
    </div>
  )
}
