/*
 * SAMPLE TEXT, to be replaced by the operator. Nobody said these sentences: they show where the words of real customers
 * go. Name people by role only, unless they agreed to more.
 */
export const TESTIMONIALS = [
  {
    words: 'i stopped asking ‘got a minute?’ i can see from here that they don’t.',
    role: 'team lead, software company',
  },
  {
    words: 'we argued about quiet rooms for a year. then we tried earplugs.',
    role: 'office manager, engineering firm',
  },
]
