/** Has the form of a signing secret, but no endpoint uses it. */
export const exampleSecret = 'whsec_ThisIsAnExampleAndSignsNothing0000000000000000'
