import { groupwareSamples } from './text-samples/groupware.ts'
import { languageSamples } from './text-samples/languages.ts'
import { noBounceSamples } from './text-samples/no-bounces.ts'
import { otherSamples } from './text-samples/other-servers.ts'
import type { TextSample } from './text-samples/text-sample.ts'
import { unixSamples } from './text-samples/unix-servers.ts'

/** Written for this project, in the layouts and languages of real mail servers. */
export const textSamples: readonly TextSample[] = [
  ...unixSamples,
  ...groupwareSamples,
  ...otherSamples,
  ...languageSamples,
  ...noBounceSamples,
]
