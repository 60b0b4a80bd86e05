/** Failures in a row from which an endpoint counts as failing and gets fewer attempts at once. */
export const failingFrom = 3
