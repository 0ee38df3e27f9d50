/// Nothing is called: what is linked runs before the tests.
