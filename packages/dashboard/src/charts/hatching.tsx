/** The 45° hatching for exhausted deliveries, used as `fill={url(#id)}`: it differs from failed without colour. */
export function Hatching({ id }: { id: string }) {
  return (
    <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={5} height={5} className="fill-surface" />
      <rect width={3} height={5} className="fill-c-exhausted" />
    </pattern>
  )
}
