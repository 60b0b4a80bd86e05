/** A duration for people. */
export function durationWords(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
