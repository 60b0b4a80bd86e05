/** The account that a command of the operator is about. */
export const accountOperand = {
  name: 'account',
  meaning: 'The account id (acct_…), as shown by posthorn accounts list.',
} as const
