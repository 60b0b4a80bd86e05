/** The columns of the attempts, shared by header and rows; on phones the bar is below. */
export const timelineGrid =
  'wide:grid wide:grid-cols-[4.5rem_7rem_minmax(9rem,14rem)_minmax(0,1fr)_6rem] wide:items-center wide:gap-x-3'
