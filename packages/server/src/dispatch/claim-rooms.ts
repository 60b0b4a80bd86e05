import type { EndpointRoom } from './claim.ts'
import type { DueShares, NotNow } from './due-shares.ts'
import type { ReadyEndpoint } from './find-ready.ts'
import type { Share } from './lane.ts'
import type { QueueRooms } from './queue-rooms.ts'

/** An endpoint that is asked, and for how many of its deliveries. */
export type Room = EndpointRoom & { paced: boolean; failuresInRow: number }

/** What one claim asks for. */
export interface ClaimRooms {
  rooms: Room[]
  /** Whoever is in line was not asked because there is no more room in all, or none for its account. */
  ranOut: boolean
  /** Somebody is asked who is not proven. */
  asksUnproven: boolean
}

/** How much may be asked for, in all and of one endpoint, and of which shares. */
export interface ClaimBounds {
  max: number
  ofEach: number
  asks: (share: Share) => boolean
}

/** Divides what the send queue has room for among those that have something due. */
export function claimRooms(
  due: Pick<DueShares, 'inTurn'>,
  rooms: QueueRooms,
  { max, ofEach, asks }: ClaimBounds,
): ClaimRooms {
  const left = new RoomLeft(rooms, max, asks)
  const asked: Room[] = []
  let asksUnproven = false
  for (const { endpoint, share } of due.inTurn(left)) {
    const ofEndpoint = Math.min(ofEach, rooms.ofEndpoint(endpoint.endpointId, endpoint.failuresInRow))
    const room = left.take(endpoint, share, ofEndpoint)
    if (room <= 0) continue
    asked.push({ ...endpoint, room })
    asksUnproven ||= share !== 'proven'
  }
  return { rooms: asked, ranOut: left.ranOut, asksUnproven }
}

/** What is left to be given out while one claim is put together; tells the line whom it need not name. */
class RoomLeft implements NotNow {
  readonly #rooms: QueueRooms
  readonly #ofShare: Record<Share, number>
  readonly #ofAccount = new Map<string, number>()
  readonly #unprovenOf = new Map<string, number>()
  readonly #asks: (share: Share) => boolean
  #total: number
  ranOut = false

  constructor(rooms: QueueRooms, max: number, asks: (share: Share) => boolean) {
    this.#rooms = rooms
    this.#asks = asks
    this.#ofShare = rooms.byShare()
    this.#total = Math.min(rooms.total, max)
  }

  readonly full = (share: Share): boolean => {
    this.ranOut ||= this.#total <= 0
    return this.#total <= 0 || this.#roomOfShare(share) <= 0 || !this.#asks(share)
  }

  readonly capped = (share: Share, accountId: string): boolean => {
    const room = this.#roomOfAccount(accountId)
    this.ranOut ||= room <= 0
    return room <= 0 || (share !== 'proven' && this.#partOfUnproven(accountId) <= 0)
  }

  /** Takes as much of an endpoint's room as there is left, and says how much. */
  take({ accountId }: ReadyEndpoint, share: Share, ofEndpoint: number): number {
    const accountsRoom = this.#roomOfAccount(accountId)
    this.ranOut ||= accountsRoom <= ofEndpoint
    const ofUnproven = share === 'proven' ? Number.POSITIVE_INFINITY : this.#partOfUnproven(accountId)
    const room = Math.min(this.#total, this.#roomOfShare(share), ofEndpoint, accountsRoom, ofUnproven)
    if (room <= 0) return 0
    this.#total -= room
    this.#ofShare[share] -= room
    if (share === 'failing') this.#ofShare.unproven -= room
    this.#ofAccount.set(accountId, accountsRoom - room)
    if (share !== 'proven') this.#unprovenOf.set(accountId, ofUnproven - room)
    return room
  }

  /** Endpoints that fail have a part of what those not proven have. */
  #roomOfShare(share: Share): number {
    return share === 'failing'
      ? Math.min(this.#ofShare.failing, this.#ofShare.unproven)
      : this.#ofShare[share]
  }

  #roomOfAccount(accountId: string): number {
    return this.#ofAccount.get(accountId) ?? this.#rooms.ofAccount(accountId)
  }

  #partOfUnproven(accountId: string): number {
    return this.#unprovenOf.get(accountId) ?? this.#rooms.partOfUnproven(accountId, this.#ofShare)
  }
}
