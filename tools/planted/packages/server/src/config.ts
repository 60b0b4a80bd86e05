/** The one file that may. */
export const url = process.env['DATABASE_URL']
