/** How a front finds the shard for each operation, with the reason. The list is closed. */
export const frontRules = {
  caller: 'the account that the credential or session belongs to; for the operator, shard 0',
  account_in_path: 'the account in the path',
  account_in_query:
    'the account of the key; for the operator, account_id in the query, or all shards without it',
  account_in_body: 'the account of the key; for the operator, account_id in the body',
  code_in_id: 'the account code at the end of the id in the path',
  credential_in_body: 'the account of the credential in the body; for the operator token, shard 0',
  report: 'the account of the key; for the operator, the account or token in each item',
  new_account: 'the open shard with the fewest accounts, after shard 0 reserved its place',
  all_shards: 'every shard, and the front merges the answers',
  front: 'the front answers by itself',
  shard_in_query: 'the shard in the query; the front does not choose one',
} as const

export type FrontRule = keyof typeof frontRules
