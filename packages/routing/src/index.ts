/** The public names of @rollcall/routing. */
export {
  type Actors,
  type ActorsCluster,
  type ActorsOptions,
  createActors,
} from './actors/actors.js';
export type { ActorRef, ActorSystemBridge, Delivery, LocalActor } from './actors/bridge.js';
export type { Terminated } from './actors/death-watch.js';
export type { DeadLetter } from './actors/mailroom.js';
export { broadcast, random, roundRobin } from './even-strategies.js';
export { HashRing, type RingOptions } from './hash-ring.js';
export { type ConsistentHashOptions, consistentHash, rendezvous } from './key-strategies.js';
export { leastSuspected } from './least-suspected.js';
export type { Former, Move, PlacementChange } from './moves.js';
export { type OldestOptions, oldest$, oldestOf } from './oldest.js';
export type { MoveOn } from './owners.js';
export { createPlacement, type Placement, type PlacementOptions } from './placement.js';
export { Rendezvous } from './rendezvous.js';
export type { RoutedCluster } from './routed-cluster.js';
export { createRouter, type Router } from './router.js';
export type { RoutedAskOptions, RouterOptions, SendOptions } from './router-options.js';
export type { Evidence, Picker, Strategy } from './strategy.js';
export { type TakeOver, type TakeOverOptions, takeOver } from './take-over.js';
export { type Metric, weighted } from './weighted.js';
export { createWorkers, type Workers, type WorkersOptions } from './workers.js';
