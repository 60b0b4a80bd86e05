import type { IdPrefix } from '../id-prefix.ts'

/** The ids in all examples of the API reference, by prefix. */
export const exampleIds = {
  acct: 'acct_01kaf8j6g0e8xr4c3rgr5qd3ma',
  key: 'key_01kaf8j6g0e8xr4c3rgr5qd3mb',
  wh: 'wh_01kaf8j6g0e8xr4c3rgr5qd3mc',
  whk: 'whk_01kaf8j6g0e8xr4c3rgr5qd3md',
  em: 'em_01kaf8j6g0e8xr4c3rgr5qd3mf',
  evt: 'evt_01kaf8j6g0e8xr4c3rgr5qd3mg',
  dlv: 'dlv_01kaf8j6g0e8xr4c3rgr5qd3mh',
  att: 'att_01kaf8j6g0e8xr4c3rgr5qd3mj',
  aud: 'aud_01kaf8j6g0e8xr4c3rgr5qd3mk',
  rpl: 'rpl_01kaf8j6g0e8xr4c3rgr5qd3mm',
  era: 'era_01kaf8j6g0e8xr4c3rgr5qd3mn',
  ses: 'ses_01kaf8j6g0e8xr4c3rgr5qd3mp',
  pses: 'pses_01kaf8j6g0e8xr4c3rgr5qd3mq',
  sup: 'sup_01kaf8j6g0e8xr4c3rgr5qd3mr',
  dom: 'dom_01kaf8j6g0e8xr4c3rgr5qd3ms',
  src: 'src_01kaf8j6g0e8xr4c3rgr5qd3mt',
  opr: 'opr_01kaf8j6g0e8xr4c3rgr5qd3mv',
} as const satisfies Record<IdPrefix, string>
