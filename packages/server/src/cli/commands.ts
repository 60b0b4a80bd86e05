import { accountsCreate } from './accounts-create.ts'
import { accountsDelete } from './accounts-delete.ts'
import { accountsGet } from './accounts-get.ts'
import { accountsLiftSuspension } from './accounts-lift-suspension.ts'
import { accountsList } from './accounts-list.ts'
import { accountsMove } from './accounts-move.ts'
import { accountsSuspend } from './accounts-suspend.ts'
import { accountsUpdate } from './accounts-update.ts'
import { classify } from './classify.ts'
import { backup } from './backup.ts'
import type { Command } from './command.ts'
import { completion } from './completion/completion.ts'
import { deliveriesTail } from './deliveries-tail.ts'
import { doctor } from './doctor/doctor.ts'
import { emailsSend } from './emails-send.ts'
import { endpointsCreate } from './endpoints-create.ts'
import { endpointsDelete } from './endpoints-delete.ts'
import { endpointsDisable } from './endpoints-disable.ts'
import { endpointsEnable } from './endpoints-enable.ts'
import { endpointsGet } from './endpoints-get.ts'
import { endpointsList } from './endpoints-list.ts'
import { endpointsRotate } from './endpoints-rotate.ts'
import { endpointsUpdate } from './endpoints-update.ts'
import { erasuresCreate } from './erasures-create.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { ingestExim } from './ingest/ingest-exim.ts'
import { ingestImap } from './ingest/ingest-imap.ts'
import { ingestLines } from './ingest/ingest-lines.ts'
import { ingestPostfix } from './ingest/ingest-postfix.ts'
import { keysCreate } from './keys-create.ts'
import { keysList } from './keys-list.ts'
import { keysRevoke } from './keys-revoke.ts'
import { keysRotateMaster } from './keys-rotate-master.ts'
import { listen } from './listen.ts'
import { maintenanceConfirmClock } from './maintenance-confirm-clock.ts'
import { migrate } from './migrate.ts'
import { operatorsAdd } from './operators-add.ts'
import { operatorsList } from './operators-list.ts'
import { operatorsRemove } from './operators-remove.ts'
import { outcomesReport } from './outcomes/outcomes-report.ts'
import { paceBacklogCommand } from './pace-backlog.ts'
import { portalLinksCreate } from './portal-links-create.ts'
import { quickstart } from './quickstart/quickstart.ts'
import { replay } from './replay.ts'
import { restore } from './restore.ts'
import { directoryCheck } from './shards/directory-check.ts'
import { directoryRebuild } from './shards/directory-rebuild.ts'
import { shardsAdd } from './shards/shards-add.ts'
import { shardsClose } from './shards/shards-close.ts'
import { shardsList } from './shards/shards-list.ts'
import { shardsMove } from './shards/shards-move.ts'
import { sourcesAdd } from './sources/sources-add.ts'
import { sourcesList } from './sources/sources-list.ts'
import { sourcesRemove } from './sources/sources-remove.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { suppressionsAdd } from './suppressions/suppressions-add.ts'
import { suppressionsExport } from './suppressions/suppressions-export.ts'
import { suppressionsImport } from './suppressions/suppressions-import.ts'
import { suppressionsLift } from './suppressions/suppressions-lift.ts'
import { suppressionsList } from './suppressions/suppressions-list.ts'
import { trigger } from './trigger.ts'
import { verify } from './verify.ts'

/** Every command, in the order that a newcomer needs them. */
export const commands: readonly Command[] = [
  start,
  quickstart,
  status,
  doctor,
  migrate,
  accountsCreate,
  accountsList,
  accountsGet,
  accountsUpdate,
  accountsSuspend,
  accountsLiftSuspension,
  accountsDelete,
  accountsMove,
  keysCreate,
  keysList,
  keysRevoke,
  portalLinksCreate,
  operatorsAdd,
  operatorsList,
  operatorsRemove,
  endpointsCreate,
  endpointsList,
  endpointsGet,
  endpointsUpdate,
  endpointsEnable,
  endpointsDisable,
  endpointsRotate,
  endpointsDelete,
  listen,
  trigger,
  outcomesReport,
  ingestPostfix,
  ingestExim,
  ingestLines,
  ingestImap,
  sourcesAdd,
  sourcesList,
  sourcesRemove,
  emailsSend,
  suppressionsList,
  suppressionsAdd,
  suppressionsLift,
  suppressionsImport,
  suppressionsExport,
  erasuresCreate,
  deliveriesTail,
  replay,
  backup,
  restore,
  paceBacklogCommand,
  maintenanceConfirmClock,
  keysRotateMaster,
  exportCommand,
  importCommand,
  shardsList,
  shardsAdd,
  shardsClose,
  shardsMove,
  directoryCheck,
  directoryRebuild,
  verify,
  classify,
  completion(() => commands),
]
