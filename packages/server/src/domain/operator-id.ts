/** Stands where an account's id would, for what belongs to the operator. No account has it. */
export const operatorId = '00000000-0000-0000-0000-000000000000'
