extends Area2D

@export var pace := 320.0

var bounds := Vector2.ZERO


func _ready() -> void:
	bounds = get_viewport_rect().size


func _process(delta: float) -> void:
	var velocity := Vector2.ZERO
	if Input.is_action_pressed("steer_right"):
		velocity.x += 1.0
	if Input.is_action_pressed("steer_left"):
		velocity.x -= 1.0
	if Input.is_action_pressed("steer_down"):
		velocity.y += 1.0
	if Input.is_action_pressed("steer_up"):
		velocity.y -= 1.0
	if velocity.is_zero_approx():
		$AnimatedSprite2D.stop()
	else:
		velocity = velocity.normalized() * pace
		$AnimatedSprite2D.flip_h = velocity.x < 0.0
		$AnimatedSprite2D.play()
	position = (position + velocity * delta).clamp(Vector2.ZERO, bounds)
