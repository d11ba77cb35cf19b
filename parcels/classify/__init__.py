"""From a divided page to labelled blocks: measure the views, ask the learners, combine what they say."""
