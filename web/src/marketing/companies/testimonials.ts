interface Testimonial {
  words: string
  role: string
  /** Nobody said this: the page marks it as an example. */
  isExample: boolean
}

/** Replace the examples by the words of real customers. Name people by role only, unless they agreed to more. */
export const TESTIMONIALS: readonly Testimonial[] = [
  {
    words: 'i stopped asking ‘got a minute?’ i can see from here that they don’t.',
    role: 'team lead, software company',
    isExample: true,
  },
  {
    words: 'we argued about quiet rooms for a year. then we tried earplugs.',
    role: 'office manager, engineering firm',
    isExample: true,
  },
]
