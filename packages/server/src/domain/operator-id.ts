/** The account id of what belongs to the operator. No account has this id. */
export const operatorId = '00000000-0000-0000-0000-000000000000'
