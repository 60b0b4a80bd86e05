/** Looks like a signing secret and signs nothing. */
export const exampleSecret = 'whsec_ThisIsAnExampleAndSignsNothing000000000000000'
