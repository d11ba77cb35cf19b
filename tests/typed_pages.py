"""Pages of two types, for the tests of page types."""

FORUM = """<div id=head><a href=/>{site} board</a> <a href=/login>Log in</a></div><div id=main><h1>{topic}</h1>
<div class=post><p>ann wrote: does the {topic} work for you<p><a href=#>Reply</a> <a href=#>Quote</a></div>
<div class=post><p>bob wrote: yes, {topic} does<p><a href=#>Reply</a> <a href=#>Quote</a></div></div>
<div id=foot>Powered by board software</div>"""
SHOP = """<div id=head><a href=/>{site} shop</a> <a href=/cart>Cart (0)</a></div><div id=main><h1>{topic}</h1><img
  src=x.jpg width=300 height=200><p>Price: $12.50 <button>Add to cart</button><p>In stock. Ships within two days.
<h2>Reviews</h2><p>Five stars, the {topic} is good</div><div id=foot>Returns and shipping</div>"""
TOPICS = ("lamp", "boat", "kettle", "saw", "bicycle", "tent", "radio", "clock")
